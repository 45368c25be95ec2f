import { saveFile } from '../../api/download.ts';
import { type Action, useAction } from '../../api/useAction.ts';
import { useLanguage } from '../../ui/language.ts';
import { fetchExampleFile } from './esims.api.ts';

/** Hand out the example of an import (SIM-02). */
export function useExample(): Action<void> {
  const language = useLanguage();
  return useAction<void, Blob>({
    run: () => fetchExampleFile(language),
    onDone: (file) => saveFile(file, 'eSIMs_export_example.csv'),
  });
}
