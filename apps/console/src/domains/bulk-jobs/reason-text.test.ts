import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { reasonText } from '../../entities/jobs/job.ts';
import { ui as uiEnglish } from '../../ui/ui.en-US.ts';
import { ui as uiChinese } from '../../ui/ui.zh-TW.ts';
import { bulkJobs as english } from './bulk-jobs.en-US.ts';
import { bulkJobs as chinese } from './bulk-jobs.zh-TW.ts';

test('NAV-07-partial why an item of a job failed has the joints of its language', async () => {
  const i18n = createInstance();
  await i18n.init({
    interpolation: { escapeValue: false },
    resources: {
      'en-US': { translation: { bulkJobs: english, ui: uiEnglish } },
      'zh-TW': { translation: { bulkJobs: chinese, ui: uiChinese } },
    },
  });
  const [inEnglish, inChinese] = [i18n.getFixedT('en-US'), i18n.getFixedT('zh-TW')];
  const ofRouter = { reason: 'command.rejected', message: 'busy', row: null } as const;
  expect(reasonText(inEnglish, ofRouter)).toBe('Rejected by the router. Router: busy');
  expect(reasonText(inChinese, ofRouter)).toBe('路由器拒絕執行。路由器：busy');
  const ofRow = { reason: 'config.bound', message: 'Depot', row: { id: '7', name: 'Files' } } as const;
  expect(reasonText(inEnglish, ofRow)).toBe('Groups are bound to this file: Depot');
  expect(reasonText(inChinese, ofRow)).toBe('已有群組綁定此檔案：Depot');
});
