import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { isStatusOfRecipient, PermanentMailError, type MailTransport } from '../../ports/mail.ts';
import { messageOf } from './message.ts';

/**
 * Pool options in addition to the address; options in its query (`?requireTLS=false`) win.
 *
 * A connection lost while sending fails its mail: whether it was accepted is unknown, and only our queue may decide to send it
 * again. For the same reason, wait for the last response as long as RFC 5321 (4.5.3.2.6) requires.
 */
export function smtpOptions(url: string) {
  return {
    url,
    pool: true,
    maxConnections: 3,
    maxRequeues: 0,
    // Long enough for a burst, and shorter than servers keep idle connections open.
    idleTimeout: 10_000,
    connectionTimeout: 15_000,
    greetingTimeout: 30_000,
    socketTimeout: 600_000,
    // Never send a password, or a link that sets one, unencrypted to another machine.
    requireTLS: !isLoopback(new URL(url).hostname),
  };
}

/** Send mails to an SMTP server over a small pool of connections. */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const pool = createTransport(smtpOptions(url));
  return {
    async send(mail) {
      try {
        await pool.sendMail(messageOf(from, mail));
      } catch (error) {
        const fault = error as SmtpFault & Error;
        if (!isFinal(fault)) throw error;
        const ofRecipient = fault.code === 'EENVELOPE' && isStatusOfRecipient(statusOf(fault) ?? '5.0.0');
        throw new PermanentMailError(fault.message, { cause: error, isOfRecipient: ofRecipient });
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
  /** What the server said. */
  readonly response?: string;
}

/** The enhanced status that the server said with its code (RFC 2034), or at the end of its text, as qmail does: '5.7.1'; undefined = none. */
const statusOf = ({ response = '' }: SmtpFault): string | undefined =>
  (/^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/u.exec(response) ?? /\(#(5\.\d{1,3}\.\d{1,3})\)/u.exec(response))?.[1];

/** As Exim, qmail and others without an enhanced status say that they do not relay for us; not Postfix's `User unknown in relay recipient table`. */
const REJECTS_US = /relay(?! recipient table)|authenticat|rcpthosts/iu;

/** Whether the server rejected us, whatever the recipient: it has a policy, requires a sign-in, or does not relay. */
function isAboutUs(fault: SmtpFault): boolean {
  const status = statusOf(fault);
  if (fault.responseCode === 530 || status?.startsWith('5.7.') === true) return true;
  if (status !== undefined && isStatusOfRecipient(status)) return false;
  // The address of the recipient may contain any of these terms.
  const text = (fault.response ?? '').split(/\s/u).filter((part) => !part.includes('@'));
  return REJECTS_US.test(text.join(' '));
}

/**
 * Whether the server rejected this recipient or this message permanently (RFC 5321, 4.2.1). Other rejections, of our sign-in, our sender
 * address, or of relaying for us (a policy, before it has the message), concern the settings, which an administrator can correct.
 */
function isFinal(fault: SmtpFault): boolean {
  const { code, command, responseCode = 0 } = fault;
  if (responseCode < 500 || responseCode > 599) return false;
  return code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO' && !isAboutUs(fault));
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/gu, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
