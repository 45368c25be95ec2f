/** The metrics of a server as text, without the label that every figure has. @param port `metricsPort` of the server */
export async function readMetrics(port: number | undefined): Promise<string> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.replaceAll(/\{installation="[^"]*"\}|,installation="[^"]*"|installation="[^"]*",/gu, '');
}
