/** The languages the product speaks. */
export type Language = 'en-US' | 'zh-TW';

const words = {
  'en-US': {
    subject: 'Set a new Highline password',
    greeting: (name: string) => `Hello ${name},`,
    text: 'somebody asked for a new password of your Highline account. If that was you, open this link within one hour:',
    ignore: 'If it was not you, nothing needs to be done; your password stays as it is.',
    button: 'Set a new password',
  },
  'zh-TW': {
    subject: '設定新的 Highline 密碼',
    greeting: (name: string) => `${name} 您好：`,
    text: '有人要求為您的 Highline 帳號設定新密碼。若是您本人，請在一小時內開啟以下連結：',
    ignore: '若不是您本人，不需採取任何動作，您的密碼維持不變。',
    button: '設定新密碼',
  },
} as const;

/** The mail of a forgotten password, in both forms. Names are typed by people and escaped. */
export function resetMail(language: Language, name: string, link: string): { subject: string; plain: string; html: string } {
  const say = words[language];
  const plain = `${say.greeting(name)}\n\n${say.text}\n\n${link}\n\n${say.ignore}\n\nHighline\n`;
  const html = `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<p>${escapeHtml(say.greeting(name))}</p><p>${say.text}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${say.button}</a></p>
<p style="word-break:break-all">${escapeHtml(link)}</p><p style="color:#48505e">${say.ignore}</p><p>Highline</p></body></html>\n`;
  return { subject: say.subject, plain, html };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
