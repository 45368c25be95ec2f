import { type FormEvent, useRef, useState } from 'react';

/** Messages under the fields; `whole` is about the form as a whole. */
export type Problems<Values> = Partial<Record<keyof Values | 'whole', string>>;

export interface AccountFormOptions<Values> {
  readonly empty: Values;
  /** The problems that are found before it is sent. */
  readonly problemsOf: (values: Values) => Problems<Values>;
  readonly send: (values: Values) => Promise<unknown>;
  /** The problems of a rejection. */
  readonly explain: (error: unknown) => Problems<Values>;
  /** It may not be sent now. */
  readonly blocked?: boolean;
}

/** A form of the account pages: typing, then busy, then done; the first field with a problem gets the focus. */
export function useAccountForm<Values extends Readonly<Record<string, string>>>(options: AccountFormOptions<Values>) {
  const [values, setValues] = useState(options.empty);
  const [problems, setProblems] = useState<Problems<Values>>({});
  const [step, setStep] = useState<'typing' | 'busy' | 'done'>('typing');
  const form = useRef<HTMLFormElement>(null);
  const send = async () => {
    setStep('busy');
    try {
      await options.send(values);
      setStep('done');
    } catch (error) {
      setStep('typing');
      setProblems(options.explain(error));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'busy' || options.blocked === true) return;
    const found = options.problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length === 0) void send();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus());
  };
  const field = (name: keyof Values & string) => ({
    value: values[name] ?? '',
    error: problems[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  return { form, step, whole: problems.whole, submit, field };
}

/** What is wrong with a new password that is typed twice. */
export function passwordProblems(
  password: string,
  repeated: string,
  texts: { readonly tooShort: string; readonly different: string },
): { readonly password?: string; readonly repeated?: string } {
  const length = Array.from(password).length;
  return {
    ...(length < 10 || length > 200 ? { password: texts.tooShort } : {}),
    ...(repeated === password ? {} : { repeated: texts.different }),
  };
}
