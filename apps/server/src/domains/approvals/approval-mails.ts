import type { Language } from '@highline/contract';
import { renderLogSentence, type LogSentence } from '@highline/contract/log-texts';
import { escapeHtml } from '../../kernel/index.ts';
import type { ApprovalRow, Decider } from './approvals.queries.ts';

/** A mail as it is written. */
interface Content {
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
}

const languageOf = ({ language }: Decider): Language => (language === 'zh-TW' ? 'zh-TW' : 'en-US');

/** What a request does, in one text. */
function actsIn(language: Language, acts: readonly LogSentence[]): string {
  const texts = acts.map((act) => renderLogSentence(language, act));
  return texts.join(language === 'zh-TW' ? '；' : '; ');
}

type About = Pick<ApprovalRow, 'acts' | 'routers' | 'names' | 'requested_by_email'>;

/** The mail to those who may decide. @param link to the page of requests */
export function requestMail(person: Decider, { acts, routers, names, requested_by_email: by }: About, link: string): Content {
  const language = languageOf(person);
  const what = actsIn(language, acts);
  const more = routers > names.length ? '…' : '';
  if (language === 'zh-TW')
    return mailOf(language, 'Highline 有操作等待您核准', [
      `${by} 的操作需由第二人核准：${what}。`,
      ...(routers > 0 ? [`涉及 ${routers} 台路由器：${names.join('、')}${more}。`] : []),
      '請在「核准」頁面核准或退回：',
      link,
    ]);
  return mailOf(language, 'Highline: a request waits for your approval', [
    `An act of ${by} waits for a second person: ${what}.`,
    ...(routers > 0 ? [`It concerns ${routers} router${routers === 1 ? '' : 's'}: ${names.join(', ')}${more}.`] : []),
    'Approve or reject it on the page Approvals:',
    link,
  ]);
}

/** The mail to the person who requested it. */
export function decisionMail(
  person: Decider,
  { acts }: Pick<ApprovalRow, 'acts'>,
  { isApproved, by, reason }: { readonly isApproved: boolean; readonly by: string; readonly reason: string },
): Content {
  const language = languageOf(person);
  const what = actsIn(language, acts);
  if (language === 'zh-TW')
    return mailOf(language, isApproved ? 'Highline 申請已核准' : 'Highline 申請已退回', [
      isApproved ? `${by} 已核准您的申請，操作已執行：${what}。` : `${by} 已退回您的申請：${what}。`,
      ...(reason === '' ? [] : [`理由：${reason}`]),
    ]);
  return mailOf(language, isApproved ? 'Highline: your request was approved' : 'Highline: your request was rejected', [
    isApproved ? `${by} approved your request, and it was done: ${what}.` : `${by} rejected your request: ${what}.`,
    ...(reason === '' ? [] : [`Reason: ${reason}`]),
  ]);
}

/** Names are user input and escaped. */
function mailOf(language: Language, subject: string, lines: readonly string[]): Content {
  const html = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    plain: `${lines.join('\n\n')}\n\nHighline\n`,
    html: `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">\n${html}\n<p>Highline</p></body></html>\n`,
  };
}
