/** A contract with one kind of record, for a mock whose answers a test writes itself. */
export const thingsDocument = `
openapi: 3.1.0
info: { title: Things, version: 1.2.0 }
servers: [{ url: https://things.example/v1 }]
security: [{ key: [] }]
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: all things
          headers: { X-Total-Count: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: {
              $ref: '#/components/schemas/Thing' } } } }
    post:
      operationId: createThing
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Thing' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: {
            $ref: '#/components/schemas/Thing' } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getThing
      responses:
        '200': { description: one thing, content: { application/json: { schema: {
            $ref: '#/components/schemas/Thing' } } } }
        '404': { description: none }
    delete:
      operationId: removeThing
      responses: { '204': { description: gone } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    queryKey: { type: apiKey, in: query, name: key }
  schemas:
    Thing:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string, minLength: 1 }
        size: { type: integer }
`;
