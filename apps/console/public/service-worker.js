// Receives what the console gets while no page of it is open. It caches nothing and answers no request of a page: a page is never older
// than the server, and none waits for this file to start.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

// An alert (SAY-05). A later message about the same alert replaces the one that is shown; a message that cannot be read says so, because
// a browser takes the right to push from who shows nothing.
addEventListener('push', (event) => {
  const read = () => {
    try {
      return event.data.json();
    } catch {
      return {};
    }
  };
  const { title = 'Highline', body = '', url = '/alerts', tag = '' } = read();
  const options = { body, tag, renotify: tag !== '', icon: '/mark.svg', badge: '/mark.svg', data: { url } };
  event.waitUntil(registration.showNotification(title, options));
});

// It leads to what it is about: in a page of the console that is open, otherwise in a new one.
addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? '/alerts', location.origin);
  if (url.origin !== location.origin) return;
  const show = async () => {
    const [page] = await clients.matchAll({ type: 'window' });
    if (page === undefined) return clients.openWindow(url.href);
    await page.focus();
    return page.navigate(url.href);
  };
  event.waitUntil(show());
});
