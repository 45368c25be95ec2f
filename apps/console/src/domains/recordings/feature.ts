import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { recordingList } from './recordings.lists.ts';

const recordingsRoute = createRoute({
  ...page('/recordings', ['admin']),
  validateSearch: listSearch(recordingList),
  component: screen(['recordings'], () => import('./RecordingList.tsx'), 'RecordingList'),
});

const playRoute = createRoute({
  ...page('/recordings/play', ['admin']),
  validateSearch: textsOf('recording'),
  beforeLoad: requireSelection('recording', () => recordingsRoute),
  component: screen(['recordings'], () => import('./RecordingPage.tsx'), 'RecordingPage'),
});

export const routes = [recordingsRoute, playRoute] as const;

export const messages = {
  recordings: { 'en-US': () => import('./recordings.en-US.ts'), 'zh-TW': () => import('./recordings.zh-TW.ts') },
};
