export const routes = [] as const;

export const messages = {
  networks: { 'en-US': () => import('./networks.en-US.ts'), 'zh-TW': () => import('./networks.zh-TW.ts') },
};
