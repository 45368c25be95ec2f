// Receives what the console gets while no page of it is open. It caches nothing and answers no request of a page: a page is never older
// than the server, and none waits for this file to start.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
