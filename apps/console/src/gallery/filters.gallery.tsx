import type { ReactNode } from 'react';
import type { Filter } from '../ui/filter/filter.ts';
import { FilterBar } from '../ui/filter/FilterBar.tsx';
import { ignore, Section, State, useSay } from './parts.tsx';

/** The filters of the examples, with nothing chosen. */
export function useFilters(): readonly [Filter, Filter] {
  const say = useSay();
  const makers = ['Hanover', 'Lyon', 'Porto', 'Tampere', 'Oslo', 'Graz', 'Ghent', 'Turin', 'Cork', 'Bilbao', 'Leeds', 'Brno'];
  return [
    {
      name: 'status',
      label: say('Status', '狀態'),
      value: undefined,
      options: [
        { value: '', label: say('All status', '所有狀態') },
        { value: 'online', label: say('Online', '上線') },
        { value: 'offline', label: say('Offline', '離線') },
      ],
    },
    {
      name: 'depot',
      label: say('Depot', '機廠'),
      value: undefined,
      options: [
        { value: '', label: say('All depots', '所有機廠') },
        ...makers.map((maker) => ({ value: maker.toLowerCase(), label: maker })),
      ],
      note: say('30 more. Type to find them.', '還有 30 個，請輸入文字尋找。'),
    },
  ];
}

/** Search and filters above a list. */
export function Filters(): ReactNode {
  const say = useSay();
  const [status, depot] = useFilters();
  return (
    <Section id="filters" title="Search and filters">
      <State name="search, two filters chosen" wide>
        <div className="card">
          <FilterBar
            search={{ fields: [{ value: 'name', label: say('Name', '名稱') }], field: 'name', value: 'Bus', onSearch: ignore }}
            filters={[
              { ...status, value: 'online' },
              { ...depot, value: 'porto' },
            ]}
            onFilter={ignore}
            onClear={ignore}
          />
        </div>
      </State>
      <State name="nothing chosen, its own lead" wide>
        <div className="card">
          <FilterBar
            lead={<span className="strong">{say('Last 24 hours', '最近 24 小時')}</span>}
            filters={[status, depot]}
            onFilter={ignore}
            onClear={ignore}
          >
            <span className="dim">{say('At the right end', '在右側')}</span>
          </FilterBar>
        </div>
      </State>
    </Section>
  );
}
