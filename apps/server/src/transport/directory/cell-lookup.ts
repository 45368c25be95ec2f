/** Which cell people and routers belong to. */
export interface CellLookup {
  /** Origin of the cell of an e-mail address; an unknown address has one too, always the same. */
  cellOfEmail(email: string): Promise<string>;
  /** Origin of the cell of a router's secret; undefined = unknown. */
  cellOfSecret(secret: string): Promise<string | undefined>;
  /** Origin of the cell of an endpoint id; an unknown one has one too: an endpoint id is not a secret. */
  cellOfEndpoint(endpointId: string): Promise<string>;
  /** Answer a message of a cell. @throws DomainError when the bearer is wrong or the body is invalid */
  answer(cell: string, bearer: string, message: string, body: unknown): Promise<object>;
}
