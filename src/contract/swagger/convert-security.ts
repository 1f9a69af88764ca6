import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { kept, type SwaggerDocument } from './swagger-document.ts';

/** `securityDefinitions` as the security schemes of OpenAPI 3.0. */
export function convertSecurity(source: SwaggerDocument): JsonObject {
  const { securityDefinitions } = source.document;
  if (!isJsonObject(securityDefinitions)) return {};
  const entries = Object.entries(securityDefinitions).map(
    ([name, scheme]: [string, JsonValue]): [string, JsonValue] => [
      name,
      convertScheme(source, name, scheme),
    ],
  );
  return Object.fromEntries(entries);
}

function convertScheme(source: SwaggerDocument, name: string, written: JsonValue): JsonValue {
  const { value: scheme, pointer } = source.follow(
    written,
    joinPointer('/securityDefinitions', name),
  );
  if (!isJsonObject(scheme)) return scheme;
  if (scheme['type'] === 'basic')
    return source.at(pointer, { ...kept(scheme, ['description']), type: 'http', scheme: 'basic' });
  if (scheme['type'] !== 'oauth2') return source.at(pointer, { ...scheme });
  const flow = flows[String(scheme['flow'])];
  const described = source.at(pointer, kept(scheme, ['authorizationUrl', 'tokenUrl', 'scopes']));
  return source.at(pointer, {
    ...kept(scheme, ['description']),
    type: 'oauth2',
    flows: flow === undefined ? {} : { [flow]: described },
  });
}

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};
