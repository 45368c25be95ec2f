import '@fontsource-variable/inter/index.css';
import '../ui/base.css';
import { startTexts } from '../app/first-texts.ts';
import { DialogHost } from '../ui/DialogHost.tsx';
import { mount } from '../ui/mount.tsx';
import { loadZone } from '../ui/time/zone.ts';
import { ToastHost } from '../ui/ToastHost.tsx';
import { Gallery } from './Gallery.tsx';

/** The gallery of `ui/`: in development and in the browser tests only. */
async function start(): Promise<void> {
  loadZone();
  await startTexts();
  mount(
    <>
      <Gallery />
      <DialogHost />
      <ToastHost />
    </>,
  );
}

void start();
