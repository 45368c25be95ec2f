import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { RefusedForGood, type MailTransport } from '../../ports/mail.ts';
import { messageOf } from './message.ts';

/**
 * Options of the pool beside what the address says; whatever stands in its query (`?requireTLS=false`) wins.
 *
 * A connection that is lost while a mail is on it fails that mail: nobody knows whether it was taken, and only our queue may decide
 * to send it again. For the same reason the last answer is waited for as long as RFC 5321 (4.5.3.2.6) asks for.
 */
export function smtpOptions(url: string) {
  return {
    url,
    pool: true,
    maxConnections: 3,
    maxRequeues: 0,
    // Long enough for a burst, too short for a server to have hung up on a connection that we then pick.
    idleTimeout: 10_000,
    connectionTimeout: 15_000,
    greetingTimeout: 30_000,
    socketTimeout: 600_000,
    // A password, or a link that sets one, does not travel in the clear to another machine.
    requireTLS: !isLoopback(new URL(url).hostname),
  };
}

/** Hand mails to an SMTP server over a small pool of connections. */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const pool = createTransport(smtpOptions(url));
  return {
    async send(mail) {
      try {
        await pool.sendMail(messageOf(from, mail));
      } catch (error) {
        throw isFinal(error as SmtpFault) ? new RefusedForGood((error as Error).message, { cause: error }) : error;
      }
    },
    async close() {
      pool.close();
    },
  };
}

interface SmtpFault {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * Whether the server refused this recipient or this message for good (RFC 5321, 4.2.1). Other refusals, of our sign-in or our sender
 * address, say something about the settings, which somebody will mend.
 */
function isFinal({ code, command, responseCode = 0 }: SmtpFault): boolean {
  if (responseCode < 500 || responseCode > 599) return false;
  return code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO');
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/gu, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
