import type { Language, summaries } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import { SKIPPED } from './schedule.ts';

/** A mail about a summary: the file, or the question to an address outside. */
interface SummaryMail {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button: { readonly text: string; readonly address: string } | undefined;
  /** A smaller link at its end. */
  readonly end: { readonly text: string; readonly address: string } | undefined;
}

const inOneLine = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '');

function written(language: Language, { subject, paragraphs, button, end }: SummaryMail) {
  const texts = paragraphs.map(inOneLine);
  const html = `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<h1 style="font-size:20px;line-height:28px">${escapeHtml(inOneLine(subject))}</h1>
${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}
${button === undefined ? '' : `<p><a href="${escapeHtml(button.address)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${button.text}</a></p>`}
${end === undefined ? '' : `<p style="font-size:13px"><a href="${escapeHtml(end.address)}">${end.text}</a></p>`}<p>Highline</p></body></html>\n`;
  const links = [button, end].flatMap((link) =>
    link === undefined ? [] : [`${link.text}${language === 'zh-TW' ? '：' : ': '}${link.address}`],
  );
  return { subject: inOneLine(subject), plain: `${[subject, ...texts, ...links, 'Highline'].join('\n\n')}\n`, html };
}

export interface SentSummary {
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Page of the summaries, and of the end of these mails. */
  readonly console: string;
  readonly unsubscribe: string;
}

/** The mail that carries a summary. */
export function summaryMail(language: Language, { name, title, lines, console, unsubscribe }: SentSummary) {
  const isChinese = language === 'zh-TW';
  return written(language, {
    subject: isChinese ? `${name}：${title}，${lines[1] ?? ''}` : `${name}: ${title}, ${lines[1] ?? ''}`,
    paragraphs: [...lines, isChinese ? '報表在附件中。' : 'The report is attached.'],
    button: { text: isChinese ? '開啟定期報表' : 'Open the summaries', address: console },
    end: { text: isChinese ? '不再收到此報表' : 'No longer get this report', address: unsubscribe },
  });
}

/** The question to an address outside of an organization. */
export function confirmationMail(language: Language, owner: string, address: string) {
  const isChinese = language === 'zh-TW';
  return written(language, {
    subject: isChinese ? `「${owner}」的定期報表` : `Reports of ${owner}`,
    paragraphs: isChinese
      ? [`${owner} 希望將定期報表寄到此信箱。`, '確認後才會寄送；若您不想收到，請忽略此郵件。']
      : [
          `${owner} would like to send reports to this address.`,
          'Nothing is sent until you confirm. Ignore this mail if you do not want them.',
        ],
    button: { text: isChinese ? '確認此信箱' : 'Confirm this address', address },
    end: undefined,
  });
}

/** To the author of a summary that could not be sent. */
export function failureMail(language: Language, name: string, reason: string, format: summaries.SummaryFormat, console: string) {
  const isChinese = language === 'zh-TW';
  return written(language, {
    subject: isChinese ? `無法寄送定期報表「${name}」` : `Summary ${name} could not be sent`,
    paragraphs: [reasonText(reason, format, isChinese)],
    button: { text: isChinese ? '開啟定期報表' : 'Open the summaries', address: console },
    end: undefined,
  });
}

function reasonText(reason: string, format: summaries.SummaryFormat, isChinese: boolean): string {
  switch (reason) {
    case 'author': {
      return isChinese
        ? '儲存此報表的人已無權限查看這些資料。請由有權限的人重新儲存。'
        : 'The person who saved it may no longer read this data. Someone with access has to save it again.';
    }
    case 'too_large': {
      if (format === 'csv')
        return isChinese
          ? '檔案超過 10 MB。請將檔案改為 Excel（檔案小得多），或選擇群組或較短的期間。'
          : 'The file has more than 10 MB. Choose Excel as file, which is much smaller, or a group, or a shorter period.';
      return isChinese
        ? '檔案超過 10 MB。請選擇群組或較短的期間。'
        : 'The file has more than 10 MB. Choose a group, or a shorter period.';
    }
    case 'interrupted': {
      return isChinese
        ? '每次產生檔案時伺服器都中斷。請選擇群組或較短的期間。'
        : 'The server was interrupted each time while it made the file. Choose a group, or a shorter period.';
    }
    case 'no_recipient': {
      return isChinese
        ? '沒有可寄送的收件者：外部信箱尚未確認、收件者已離開，或已暫停寄送。'
        : 'It has no recipient: addresses outside have not confirmed, people have left, or their mail servers reject it.';
    }
    case SKIPPED: {
      return isChinese
        ? '伺服器中斷期間，錯過的寄送時間超過七次。最近七次會補寄，更早的不會寄送；這些日期的資料仍可在定期報表頁面查看。'
        : 'It was due more than seven times while the server did not run. The last seven are sent, older ones are not; the page of summaries still shows their days.';
    }
    default: {
      return isChinese ? '多次嘗試皆失敗。' : 'Several attempts failed.';
    }
  }
}
