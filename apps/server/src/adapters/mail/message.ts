import type { Mail } from '../../ports/mail.ts';

/**
 * A mail as the composer takes it. The recipient is handed over as one address and never parsed as a list, and nothing in it may name
 * a file or an address to be fetched: both texts hold names that people typed.
 */
export function messageOf(from: string, { messageId, to, subject, plain, html }: Mail) {
  return {
    from,
    to: [{ name: '', address: to }],
    subject,
    text: plain,
    html,
    messageId,
    // Tells out-of-office programs not to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
