// The library's sheets first: ours, and those of pages that load later, build on them.
import '@fontsource-variable/inter/index.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
// Nearly every screen needs these: they are bundled with this file, which is loaded anyway, instead of as small ones.
import './api/ListStatus.tsx';
import './api/useAction.ts';
import './api/useList.ts';
import './ui/CopyButton.tsx';
import './ui/StatusDot.tsx';
import './ui/page/PageHeader.tsx';
import './ui/time/RelativeTime.tsx';
import './ui/useLongPress.ts';
import './ui/useNarrow.ts';
import { createClient } from './api/query-client.ts';
import { startTexts } from './app/first-texts.ts';
import { createConsoleRouter } from './app/router.ts';
import { registerServiceWorker } from './app/service-worker.ts';
import { watchSession } from './session/sign-out.ts';
import { DialogHost } from './ui/DialogHost.tsx';
import { mount } from './ui/mount.tsx';
import { loadZone } from './ui/time/zone.ts';
import { ToastHost } from './ui/ToastHost.tsx';

async function start(): Promise<void> {
  loadZone();
  watchSession();
  await startTexts();
  const client = createClient();
  const router = createConsoleRouter(client);
  mount(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <DialogHost />
      <ToastHost />
    </QueryClientProvider>,
  );
  await registerServiceWorker();
}

void start();
