// Runs before the first pixel, so that a person who chose dark never sees a white flash, and says which language the
// static pages show. A file of its own because our content policy allows no inline script.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const scheme = read('highline.scheme') ?? 'auto';
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.scheme = dark ? 'dark' : 'light';
  root.lang = read('highline.language') === 'zh-TW' ? 'zh-TW' : 'en-US';
})();
