import { z } from 'zod';
import { everyRole, operation } from '../operation.ts';
import { deletion, tenantBody, tenantQuery, typedName } from '../conventions.ts';

/** Lists whose views can be saved (BLK-03). */
export const viewLists = [
  'devices',
  'org-devices',
  'service',
  'esims',
  'groups',
  'firmware',
  'configs',
  'users',
  'colleagues',
  'inventory',
  'logs',
  'organizations',
  'jobs',
  'api-keys',
] as const;
export type ViewList = (typeof viewLists)[number];

/** Views of one person in one organization, or in the main account; and views that are shared there. */
export const MOST_VIEWS = 100;
export const LONGEST_VIEW_NAME = 60;

const MOST_COLUMNS = 60;
/** Columns are at least and at most this wide, in px. */
export const COLUMN_WIDTHS = { least: 48, most: 1_200 } as const;

const columnId = z.string().regex(/^[A-Za-z][\w-]{0,39}$/u, 'is not the id of a column');
const width = z.number().int().min(COLUMN_WIDTHS.least).max(COLUMN_WIDTHS.most);

/** The columns of a table: which are visible against their default, in which order, how wide (px), and the height of its rows. */
export const tableLayout = z.strictObject({
  columns: z.record(columnId, z.boolean()).optional(),
  order: z.array(columnId).max(MOST_COLUMNS).optional(),
  widths: z.record(columnId, width).optional(),
  density: z.enum(['comfortable', 'compact']).optional(),
  /** Long texts continue on the next line. */
  wrap: z.boolean().optional(),
});
export type TableLayout = z.infer<typeof tableLayout>;

/** What a view shows: the part of the list's address without page and size, and the columns. */
export const viewContent = z.strictObject({
  /** Filters, search, its field, and sort, by their names in the address. */
  search: z.record(z.string().regex(/^[A-Za-z]{1,40}$/u, 'is not the name of a filter'), z.string().min(1).max(200)),
  layout: tableLayout,
});
export type ViewContent = z.infer<typeof viewContent>;

/** A saved view (BLK-03). */
export const savedView = z.object({
  id: z.string(),
  list: z.enum(viewLists),
  name: z.string(),
  /** Everyone of the organization sees it, or of the main account. */
  shared: z.boolean(),
  /** The caller made it. */
  own: z.boolean(),
  /** The caller may rename, change and delete it. */
  editable: z.boolean(),
  /** The list of the caller opens with it. */
  isDefault: z.boolean(),
  content: viewContent,
  /** Filters that name something that no longer exists. */
  missing: z.array(z.string()),
  version: z.number().int(),
});
export type SavedView = z.infer<typeof savedView>;

const path = '/data_manager/v1/dm/views';
const oneView = z.object({ result: savedView });
const content = viewContent.refine(
  (value) => Object.keys(value.search).length <= 20 && Object.keys(value.layout.columns ?? {}).length <= MOST_COLUMNS,
  'has too many filters or columns',
);

export const listViews = operation({
  id: 'views.list',
  method: 'GET',
  path,
  summary: "The caller's saved views of lists, and the shared ones, by name (BLK-03).",
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(savedView) }),
});

export const addView = operation({
  id: 'views.add',
  method: 'POST',
  path,
  summary: 'Save a view of a list under a name (BLK-03). Only admins and the main account share views.',
  scope: 'tenant',
  roles: everyRole,
  body: tenantBody.extend({
    list: z.enum(viewLists),
    name: typedName(LONGEST_VIEW_NAME).min(1),
    shared: z.boolean().optional(),
    content,
  }),
  bodyExample: { content: { search: { presence: 'offline' }, layout: {} } },
  response: oneView,
});

export const saveView = operation({
  id: 'views.save',
  method: 'PATCH',
  path: `${path}/{view}`,
  summary:
    'Rename a view, share it, change what it shows, or make it the one that the list opens with. The last is the choice of the caller alone, and possible for every view that the caller sees.',
  scope: 'tenant',
  roles: everyRole,
  params: z.object({ view: z.string() }),
  body: tenantBody.extend({
    name: typedName(LONGEST_VIEW_NAME).min(1).optional(),
    shared: z.boolean().optional(),
    content: content.optional(),
    isDefault: z.boolean().optional(),
  }),
  response: oneView,
});

export const deleteView = operation({
  id: 'views.delete',
  method: 'DELETE',
  path: `${path}/{view}`,
  summary: 'Delete a view; a shared one for everyone.',
  scope: 'tenant',
  roles: everyRole,
  params: z.object({ view: z.string() }),
  query: tenantQuery,
  response: deletion,
});

export const topics = ['views'] as const;

export const schemaNames = {
  SavedView: savedView,
  TableLayout: tableLayout,
  ViewContent: viewContent,
};
