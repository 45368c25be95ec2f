import type { ReactNode } from 'react';
import { ActionButton } from '../ui/ActionButton.tsx';
import { PageHeader } from '../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../ui/page/Skeleton.tsx';
import { Section, State, useSay } from './parts.tsx';

/** The header of a page, and a page that loads. */
export function Pages(): ReactNode {
  const say = useSay();
  return (
    <Section id="pages" title="Page headers">
      <State name="title alone" wide>
        <PageHeader title={say('Settings', '設定')} />
      </State>
      <State name="way back, line below, actions" wide>
        <PageHeader
          title={say('North depot', '北區機廠')}
          back={<a href="#pages">{say('Groups', '群組')}</a>}
          sub={say('12 devices · 11 online', '12 部裝置 · 11 部上線')}
          actions={
            <>
              <ActionButton>{say('Export', '匯出')}</ActionButton>
              <ActionButton variant="filled">{say('Add device', '新增裝置')}</ActionButton>
            </>
          }
        />
      </State>
      <State name="loading" wide>
        <PageSkeleton />
      </State>
    </Section>
  );
}
