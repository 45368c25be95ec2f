export const messages = {
  tools: { 'en-US': () => import('./tools.en-US.ts'), 'zh-TW': () => import('./tools.zh-TW.ts') },
};
