import { useRef, useState } from 'react';
import { useAction, useShowError } from '../../../api/useAction.ts';
import { ambiguousDatesOf, type FileReading } from '../../../entities/imports/FileNotes.tsx';
import { validateWizard, type ValidationResult } from './useCreation.ts';

/** The dry run of a chosen file, before anything is created. */
export function useFileCheck(onUnreadable: () => void) {
  const [validation, setValidation] = useState<ValidationResult>();
  const [reading, setReading] = useState<FileReading>({});
  const [ambiguousDates, setAmbiguousDates] = useState<ReturnType<typeof ambiguousDatesOf>>();
  const latest = useRef<File>(undefined);
  const showError = useShowError();
  const check = useAction<{ readonly file: File; readonly chosen: FileReading }, ValidationResult>({
    run: ({ file, chosen }) => validateWizard({ org: undefined, dryRun: true, reading: chosen }, file),
    // Another file may have been chosen in the meantime.
    onDone: (response, { file }) => file === latest.current && setValidation(response),
    onError: (error) => {
      const dates = ambiguousDatesOf(error);
      setAmbiguousDates(dates);
      if (dates !== undefined) return true;
      onUnreadable();
      void showError(error);
      return true;
    },
  });
  const start = (file: File | undefined, chosen: FileReading) => {
    latest.current = file;
    setReading(chosen);
    setValidation(undefined);
    setAmbiguousDates(undefined);
    if (file !== undefined) check.run({ file, chosen });
  };
  return {
    validation,
    /** How the file is read. */
    reading,
    ambiguousDates,
    start: (file: File | undefined) => start(file, {}),
    readAs: (part: FileReading) => start(latest.current, { ...reading, ...part }),
  };
}
