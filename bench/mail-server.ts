// A separate process: a mail server that accepts everything.
import { startTestSmtp } from '@highline/testkit/mail';
import { runQuestions } from './child.ts';

const smtp = await startTestSmtp();

const responses = {
  url: () => smtp.url,
  /** Number of accepted mails, and of distinct ones; resets the count. */
  taken() {
    const mails = smtp.taken.splice(0);
    return { all: mails.length, different: new Set(mails.map(({ headers }) => headers['message-id'])).size };
  },
};
export type MailServerResponses = typeof responses;

runQuestions(responses);
