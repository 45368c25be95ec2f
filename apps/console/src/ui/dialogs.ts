import { createStore } from './store.ts';

/** The common fields of every dialog. The caller passes translated texts. */
interface Question {
  readonly title: string;
  readonly text: string;
  /** The affected items: all in a message; in a question the first few and the number of others. */
  readonly items?: readonly string[];
  /** The consequences, shown before the warning. */
  readonly means?: string | undefined;
  /** A second sentence below the quoted one. */
  readonly warning?: string;
}

export interface MessageRequest extends Question {
  readonly kind: 'message';
  readonly ok?: string;
}

export interface ConfirmRequest extends Question {
  readonly kind: 'confirm';
  readonly yes?: string;
  readonly no?: string;
  /** Every question decides it. Not ordinary: the confirming button is red. Permanent: the dialog adds that it cannot be undone (SHR-07). */
  readonly effect: 'permanent' | 'disruptive' | 'ordinary';
}

export interface ChoiceRequest extends Question {
  readonly kind: 'choice';
  readonly choices: readonly { readonly id: string; readonly label: string; readonly primary?: boolean }[];
}

export type DialogRequest = MessageRequest | ConfirmRequest | ChoiceRequest;

export interface OpenDialog {
  readonly id: number;
  readonly request: DialogRequest;
  /** Answers the caller and takes the dialog away. '' = dismissed. */
  readonly respond: (choice: string) => void;
}

const open = createStore<readonly OpenDialog[]>([]);
let counter = 0;

/** Dialogs on the screen, the newest last; `DialogHost` draws them. */
export const openDialogs = open;

function openDialog(request: DialogRequest): Promise<string> {
  return new Promise((resolve) => {
    counter += 1;
    const id = counter;
    const respond = (choice: string) => {
      open.set(open.get().filter((dialog) => dialog.id !== id));
      resolve(choice);
    };
    open.set([...open.get(), { id, request, respond }]);
  });
}

/** Show a message with OK and wait until it was read (SHR-01). */
export async function showMessage(message: Omit<MessageRequest, 'kind'>): Promise<void> {
  await openDialog({ kind: 'message', ...message });
}

/** Show a Yes/No question (SHR-01); dismissing means No. */
export async function confirmAction(question: Omit<ConfirmRequest, 'kind'>): Promise<boolean> {
  return (await openDialog({ kind: 'confirm', ...question })) === 'yes';
}

/** Offer several choices; undefined when dismissed. */
export async function chooseAction<Id extends string>(
  question: Omit<ChoiceRequest, 'kind' | 'choices'> & {
    readonly choices: readonly { readonly id: Id; readonly label: string; readonly primary?: boolean }[];
  },
): Promise<Id | undefined> {
  const response = await openDialog({ kind: 'choice', ...question });
  return question.choices.find((choice) => choice.id === response)?.id;
}
