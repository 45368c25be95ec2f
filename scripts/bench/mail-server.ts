// A process of its own: a mail server that takes everything.
import { startTestSmtp } from '../../apps/server/src/testing/smtp.ts';
import { answerQuestions } from './child.ts';

const smtp = await startTestSmtp();

const answers = {
  url: () => smtp.url,
  /** How many mails were taken, and how many of them are different; then forgets them. */
  taken() {
    const mails = smtp.taken.splice(0);
    return { all: mails.length, different: new Set(mails.map(({ headers }) => headers['message-id'])).size };
  },
};
export type MailServerAnswers = typeof answers;

answerQuestions(answers);
