/** Why the page is shown again. */
export type PageProblem = 'email' | 'too-many';
export type PageLanguage = 'en-US' | 'zh-TW';

const texts = {
  'en-US': {
    title: 'Sign in to Highline',
    lead: 'Enter your email address to continue to your sign-in page.',
    email: 'Email address',
    next: 'Continue',
    problems: { email: 'Invalid email address format', 'too-many': 'Too many attempts. Wait a moment and try again.' },
    other: ['zh-TW', '繁體中文'],
  },
  'zh-TW': {
    title: '登入 Highline',
    lead: '請輸入您的電子郵件地址，以前往您的登入頁面。',
    email: '電子郵件地址',
    next: '繼續',
    problems: { email: '電子郵件地址格式不正確', 'too-many': '嘗試次數過多，請稍候再試。' },
    other: ['en-US', 'English'],
  },
} as const;

// The colours of the console.
const style = `
:root { color-scheme: light dark; --canvas: #f6f7f9; --surface: #fff; --line: #e3e6eb; --edge: #858d99; --ink: #12161d; --dim: #48505e; --accent: #1f5fd6; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --canvas: #0e1116; --surface: #151a21; --line: #262d38; --edge: #6d7685; --ink: #eef1f5; --dim: #b7bfcb; --accent: #6d9dff; --bad: #ff9a93; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--canvas); color: var(--ink);
  font: 14px/20px system-ui, 'Noto Sans TC', 'PingFang TC', 'Microsoft JhengHei', sans-serif; }
main { width: 100%; max-width: 400px; }
.card { padding: 32px; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); box-shadow: 0 8px 24px rgb(0 0 0 / 8%); }
svg { display: block; width: 40px; height: 40px; margin-bottom: 16px; }
h1 { margin: 0 0 8px; font-size: 22px; font-weight: 650; line-height: 28px; }
p { margin: 0 0 16px; color: var(--dim); }
label { display: block; margin-bottom: 4px; font-weight: 500; }
input { width: 100%; height: 38px; padding: 0 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 8px; }
button { width: 100%; height: 38px; margin-top: 16px; font: inherit; font-weight: 600; color: #fff; background: #1f5fd6; border: 0; border-radius: 8px; cursor: pointer; }
a { display: inline-block; margin-top: 16px; padding: 2px 4px; color: var(--accent); text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.wrong { margin: 6px 0 0; color: var(--bad); }
`;

const mark = `<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="#1f5fd6"/><path d="M5 15.5c2.2 0 2.6-7 5.2-7s2.6 5 4.8 5c1.6 0 2.2-2.5 4-2.5" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`;

/** The language that a query or the browser prefers. */
export function languageOf(query: unknown, acceptLanguage = ''): PageLanguage {
  const chosen = (query as { lang?: unknown } | null)?.lang;
  if (chosen === 'en-US' || chosen === 'zh-TW') return chosen;
  return /^\s*zh\b/iu.test(acceptLanguage) ? 'zh-TW' : 'en-US';
}

/** The page, without script. The address that was entered is not repeated in it. */
export function signInPage(language: PageLanguage, problem?: PageProblem): string {
  const text = texts[language];
  const [other, otherName] = text.other;
  const wrong = problem === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${text.problems[problem]}</p>`;
  const described = problem === undefined ? '' : ' aria-describedby="wrong"';
  const invalid = problem === 'email' ? ' aria-invalid="true"' : '';
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text.title}</title><style>${style}</style></head>
<body><main><div class="card">${mark}<h1>${text.title}</h1><p>${text.lead}</p>
<form method="post" action="/sign-in?lang=${language}"><label for="email">${text.email}</label>
<input id="email" name="email" type="email" required autofocus autocomplete="username" spellcheck="false" maxlength="320"${described}${invalid}>
${wrong}<button type="submit">${text.next}</button></form></div>
<a href="/?lang=${other}" lang="${other}">${otherName}</a></main></body>
</html>
`;
}
