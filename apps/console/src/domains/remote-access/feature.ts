export const messages = {
  remote: { 'en-US': () => import('./remote-access.en-US.ts'), 'zh-TW': () => import('./remote-access.zh-TW.ts') },
};
