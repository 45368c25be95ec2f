import { alerts } from '@highline/contract';
import { expect, test } from 'vitest';
import { example } from '../../testing/fake-server.ts';
import { draftOf } from './rule-draft.ts';
import { inputOf } from './rule-input.ts';

const rule = (condition: alerts.Condition): alerts.Rule => ({ ...example(alerts.listRules).result[0]!, condition });

test('ALR-01-partial SAY-11-partial a limit in °F that is not touched stays as it is stored, and one that is typed is that number', () => {
  const condition = { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 25.6, clear: 0.1 } as const;
  const draft = { ...draftOf(rule(condition), 'UTC', '°F'), name: 'Warm' };
  expect([draft.threshold, draft.clear]).toEqual(['78.1', '32.2']);
  expect(inputOf(draft).condition).toEqual(condition);
  expect(inputOf({ ...draft, threshold: '78', clear: '' }).condition).toEqual({
    kind: 'reading',
    reading: 'temperature',
    operator: 'above',
    threshold: 25.56,
  });
  expect(inputOf({ ...draft, reading: 'voltage', clear: '' }).condition).toMatchObject({ threshold: 78.1 });
});
