import type { Mail } from '../../ports/mail.ts';

/**
 * A mail in the composer's format. The recipient is one address, never parsed as a list, and no field may name a file or a URL to
 * fetch: both texts contain user input.
 */
export function messageOf(from: string, { messageId, to, subject, plain, html, file, unsubscribe, bounceAddress }: Mail) {
  const recipients = [{ name: '', address: to }];
  return {
    from,
    to: recipients,
    ...(bounceAddress !== undefined && { envelope: { from: bounceAddress, to: recipients } }),
    subject,
    text: plain,
    html,
    messageId,
    // Prevents automatic replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(file !== undefined && {
      attachments: [
        { filename: file.name, contentType: file.type, content: file.content, contentDisposition: 'attachment' as const },
      ],
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
