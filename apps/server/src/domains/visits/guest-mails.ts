import type { Language } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import { timeIn } from '../../platform/csv/index.ts';

/** A mail as it is written. */
interface Content {
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
}

/** The mail to a guest with an account elsewhere, and the one a week before the end. */
export function guestMail(
  kind: 'added' | 'leaving',
  { organization, language }: { readonly organization: string; readonly language: string | null },
  until: Date,
  link: string,
): Content {
  // The zone of a guest is not known.
  const moment = `${timeIn('UTC', language === 'zh-TW' ? 'zh-TW' : 'en-US')(until)} UTC`;
  if (language === 'zh-TW')
    return kind === 'added'
      ? mailOf('zh-TW', `您已成為「${organization}」的來賓`, [
          `您可在 ${moment} 之前以來賓身分使用 Highline 中的「${organization}」：`,
          link,
        ])
      : mailOf('zh-TW', `您在「${organization}」的來賓身分即將到期`, [
          `您在 Highline 中「${organization}」的來賓身分將於 ${moment} 到期。若仍需使用，請洽該組織的管理員。`,
          link,
        ]);
  return kind === 'added'
    ? mailOf('en-US', `You are a guest of ${organization}`, [
        `Until ${moment}, you can act in ${organization} on Highline as a guest:`,
        link,
      ])
    : mailOf('en-US', `Your access to ${organization} ends soon`, [
        `Your access to ${organization} on Highline ends on ${moment}. If you need it for longer, ask an admin of the organization.`,
        link,
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
