import { createContext } from 'react';

/** The name of the row around a control, so that its name is another one in each row; undefined outside of tables. */
export const RowName = createContext<string | undefined>(undefined);
