/** What a notification about a returned mail says. */
export interface Returned {
  /** Envelope sender of the mail: the notification is sent to it. */
  readonly address: string;
  readonly recipient: string;
  readonly status?: string;
  readonly action?: string;
  /** The mail that is returned, or its head. */
  readonly original?: string;
}

const HEAD = 'Subject: A subject\nMessage-ID: <id@highline>';

/** As Postfix writes it, and its `local` passes it to a program. */
export const fromPostfix = ({ address, recipient, status = '5.1.1', action = 'failed', original = HEAD }: Returned): string =>
  `From MAILER-DAEMON  Sat Nov 28 06:00:04 2026
Return-Path: <>
X-Original-To: ${address}
Delivered-To: bounces@mx.example.com
Received: by mx.example.com (Postfix)
\tid 4F5D1A2B3C; Sat, 28 Nov 2026 06:00:04 +0000 (UTC)
Date: Sat, 28 Nov 2026 06:00:04 +0000 (UTC)
From: Mail Delivery System <MAILER-DAEMON@mx.example.com>
Subject: Undelivered Mail Returned to Sender
To: ${address}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="9A1B2C3D4E.1795845604/mx.example.com"
Message-Id: <20261128060004.4F5D1A2B3C@mx.example.com>

This is a MIME-encapsulated message.

--9A1B2C3D4E.1795845604/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.com.

<${recipient}>: host mx.else.test[192.0.2.25] said: 550 ${status} <${recipient}>:
    Recipient address rejected: User unknown in virtual mailbox table
    (in reply to RCPT TO command)

--9A1B2C3D4E.1795845604/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 9A1B2C3D4E
X-Postfix-Sender: rfc822; ${address}
Arrival-Date: Sat, 28 Nov 2026 06:00:02 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.else.test
Diagnostic-Code: smtp; 550 ${status} <${recipient}>: Recipient address rejected:
    User unknown in virtual mailbox table

--9A1B2C3D4E.1795845604/mx.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <${address}>
To: ${recipient}
${original}

--9A1B2C3D4E.1795845604/mx.example.com--
`;

/** As Exim writes it: the boundary without quotation marks, one status for everything. */
export const fromExim = ({ address, recipient, status = '5.0.0', action = 'failed', original = HEAD }: Returned): string =>
  `Return-path: <>
Envelope-to: ${address}
Received: from Debian-exim by mx.example.com with local (Exim 4.96)
\tid 1vOqXw-0001Ab-2C
X-Failed-Recipients: ${recipient}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
To: ${address}
References: <id@highline>
Content-Type: multipart/report; report-type=delivery-status; boundary=1795845604-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1795845604-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

  ${recipient}
    host mx.else.test [192.0.2.25]
    SMTP error from remote mail server after end of data:
    550 No such user here

--1795845604-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Action: ${action}
Final-Recipient: rfc822;${recipient}
Status: ${status}
Remote-MTA: dns; mx.else.test
Diagnostic-Code: smtp; 550 No such user here

--1795845604-eximdsn-1804289383
Content-type: message/rfc822

Return-path: <${address}>
To: ${recipient}
${original}

--1795845604-eximdsn-1804289383--
`;

/** As Exchange Online writes it: a long text as HTML first, lines that end with CR and LF. */
export const fromExchange = ({ address, recipient, status = '5.1.10', action = 'failed', original = HEAD }: Returned): string =>
  `Received: from AM0PR01MB0001.eurprd01.prod.exchangelabs.com (2603:10a6:208:1::1)
 by AM0PR01MB0002.eurprd01.prod.exchangelabs.com with HTTPS; Sat, 28 Nov 2026 06:00:09 +0000
MIME-Version: 1.0
From: <postmaster@else.onmicrosoft.com>
To: <${address}>
Date: Sat, 28 Nov 2026 06:00:09 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="f5a0c1d2-0000-4a51-9b6e-1f2e3d4c5b6a"
Content-Language: en-US
Message-ID: <f5a0c1d2@AM0PR01MB0001.eurprd01.prod.exchangelabs.com>
Subject: Undeliverable: A subject
Auto-Submitted: auto-replied

--f5a0c1d2-0000-4a51-9b6e-1f2e3d4c5b6a
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="3c9d8e7f-0000-4f11-8a7b-6c5d4e3f2a1b"

--3c9d8e7f-0000-4f11-8a7b-6c5d4e3f2a1b
Content-Type: text/html; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

<html><body>${'<p>Your message to the recipient could not be delivered.</p>\n'.repeat(300)}</body></html>

--3c9d8e7f-0000-4f11-8a7b-6c5d4e3f2a1b--

--f5a0c1d2-0000-4a51-9b6e-1f2e3d4c5b6a
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;mx.example.com
Arrival-Date: Sat, 28 Nov 2026 06:00:08 +0000

Final-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp;550 ${status} RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
X-Display-Name: Someone

--f5a0c1d2-0000-4a51-9b6e-1f2e3d4c5b6a
Content-Type: message/rfc822

To: <${recipient}>
${original}

--f5a0c1d2-0000-4a51-9b6e-1f2e3d4c5b6a--
`.replaceAll('\n', '\r\n');
