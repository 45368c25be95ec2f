import { Responses } from '../transport/usp/responses.ts';

/** Answers of a router in which these paths were answered, with these values. */
export function respond(values: Readonly<Record<string, string>>, paths: readonly string[]): Responses {
  const responses = new Responses();
  const resolvedPathResults = Object.entries(values).map(([path, value]) => {
    const dot = path.lastIndexOf('.') + 1;
    return { resolvedPath: path.slice(0, dot), resultParams: new Map([[path.slice(dot), value]]) };
  });
  responses.add(
    paths.map((requestedPath, index) => ({
      requestedPath,
      errCode: 0,
      errMsg: '',
      resolvedPathResults: index === 0 ? resolvedPathResults : [],
    })),
  );
  return responses;
}
