import { createTransport } from 'nodemailer';
import type { MailTransport } from '../../ports/mail.ts';

/** Hand mails to an SMTP server over a small pool of connections. */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
  } as object);
  return {
    async send({ messageId, to, subject, plain, html }) {
      await pool.sendMail({
        from,
        to: [{ name: '', address: to }],
        subject,
        text: plain,
        html,
        messageId,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    async close() {
      pool.close();
    },
  };
}
