// Starts what the first screen needs while its code is still loading: the files of its language and its page, and the calls that it
// will make, which src/api/first-calls.ts hands to it. A file of its own, because our content policy allows no inline script.
(() => {
  /** By method and address: the answer on its way, and when it was requested, by performance.now(). */
  const calls = new Map();
  window.highlineFirstCalls = calls;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`, 'u').exec(document.cookie)?.[1];
  const user = cookie('id');
  const path = location.pathname;
  if (user === undefined || path === '/login' || path === '/logout') return;

  const files = JSON.parse(document.querySelector('#first-files')?.textContent ?? '{}');
  const language = read('highline.language') === 'zh-TW' ? 'zh-TW' : 'en-US';
  const preload = (href) => {
    const link = document.createElement('link');
    if (href.endsWith('.css')) link.as = 'style';
    link.rel = href.endsWith('.css') ? 'preload' : 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  };

  const call = (method, address) => {
    const response = fetch(address, { method, credentials: 'same-origin', headers: { accept: 'application/json' } });
    // A failure is reported to the page that uses the response.
    response.catch(() => undefined);
    calls.set(`${method} ${address}`, { response, at: performance.now() });
    return response;
  };
  // In the order in which the page needs them: a browser makes six requests at a time over HTTP/1.1.
  files[language]?.forEach(preload);
  const session = call('POST', '/dmp_aa/api/v2/auth/introspect/');
  files[path]?.forEach(preload);
  // Filters are part of the address, and change the calls: the page makes them itself.
  if (location.search !== '') return;
  const follows = read('highline.zoneFollowsBrowser') === 'true';
  // As src/ui/time/zones.ts finds it.
  const browser = globalThis.Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const chosen = follows ? undefined : cookie('timezone')?.replace(/%2F/giu, '/');
  const zone = new URLSearchParams({ zone: chosen ?? (browser || 'UTC') });
  if (path === '/dashboard') {
    const span = JSON.parse(read(`highline.offline-span.${user}`) ?? '"1h"');
    void call('GET', `/data_manager/v1/dm/attention?${new URLSearchParams({ offline: span })}`);
    void call('GET', `/data_manager/v1/dm/statistics?${zone}`);
    void call('GET', '/data_manager/v1/dm/statistics/online?hours=24');
    const size = JSON.parse(read(`highline.page-size.${user}`) ?? '3');
    void call('GET', `/data_manager/v1/dm/devices?limit=${size}&offset=0&${zone}`);
    // The main account has neither, and leaves this page.
    const ofOrganization = async () => {
      const { org } = (await (await session).clone().json()).result;
      if (org === null) return;
      void call('GET', `/dmp_aa/api/v1/login/status/${org.id}`);
      const pins = await call('GET', '/vega_lite_manager/api/v1/draws');
      const { result } = await pins.clone().json();
      if (result.length > 0) files.pins?.forEach(preload);
    };
    ofOrganization().catch(() => undefined);
  }
  if (path === '/map') {
    void call('GET', '/console/map');
    void call('GET', `/data_manager/v1/dm/positions?${zone}`);
  }
})();
