// Show the readings that the router sends. Values are set as text and never become markup.
const state = document.querySelector('[data-live]');
const SIGNED_OUT = 4001;
const RETRY_MS = 2000;

function say(isOn, text) {
  state.classList.toggle('on', isOn);
  state.lastElementChild.textContent = text;
}

function show({ readings, bars }) {
  for (const [name, value] of readings) {
    const element = document.querySelector(`[data-reading="${CSS.escape(name)}"]`);
    if (element && element.textContent !== value) element.textContent = value;
  }
  document.querySelector('[data-bars]').dataset.bars = bars;
}

function connect() {
  const socket = new WebSocket(new URL('/live', location.href.replace(/^http/u, 'ws')));
  socket.addEventListener('message', ({ data }) => {
    say(true, 'Live');
    show(JSON.parse(data));
  });
  socket.addEventListener('close', ({ code }) => {
    if (code === SIGNED_OUT) location.reload();
    say(false, 'Not connected, trying again …');
    setTimeout(connect, RETRY_MS);
  });
}

connect();
