export const messages = {
  commands: { 'en-US': () => import('./commands.en-US.ts'), 'zh-TW': () => import('./commands.zh-TW.ts') },
};
