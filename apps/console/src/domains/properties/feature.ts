export const messages = {
  properties: { 'en-US': () => import('./properties.en-US.ts'), 'zh-TW': () => import('./properties.zh-TW.ts') },
};
