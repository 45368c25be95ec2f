import { saveFile } from '../../api/download.ts';
import { type Action, useAction } from '../../api/useAction.ts';
import { ownFileName } from '../../api/fileName.ts';
import { useSession } from '../../api/session.ts';
import { useLanguage } from '../../ui/language.ts';
import { fetchExampleFile } from './esims.api.ts';

/** Hand out the example of an import (SIM-02). */
export function useExample(): Action<void> {
  const language = useLanguage();
  const { org } = useSession();
  return useAction<void, Blob>({
    run: () => fetchExampleFile(language),
    onDone: (file) => saveFile(file, ownFileName('eSIMs_export_example', org?.name)),
  });
}
