import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { textOf } from './timeline-texts.ts';
import type { TimelineItem } from './timeline.api.ts';

const t = ((key: string, { who }: { who?: string } = {}) => (who === undefined ? key : `${key} ${who}`)) as unknown as TFunction;
const ended = { kind: 'remote', type: 'ssh', state: 'ended', reason: 'idle', client: '' } as unknown as TimelineItem;

test.each([
  ['ana@x.example', 'timeline.remoteEnd.idle · timeline.openedBy ana@x.example'],
  ['', 'timeline.remoteEnd.idle'],
])('LOG-02-partial a remote connection on the timeline says who opened it, where that is known: %j', (by, detail) => {
  expect(textOf({ ...ended, by } as TimelineItem, t, () => '')).toEqual({ title: 'timeline.remote.ssh.ended', detail });
});
