import type { UspMessage } from '@highline/usp';
import { anyMessage } from '@highline/usp/testing';
import * as fc from 'fast-check';
import { paths, shortText, values, valueMap, objects, commands, longText } from './usp-values.ts';

const code = fc.integer({ min: 0, max: 0xff_ff_ff_ff });

const failure = fc.record({ errCode: code, errMsg: values });

export const result = fc.oneof(
  valueMap.map((outputArgs) => ({ type: 'req_output_args' as const, outputArgs })),
  failure.map((value) => ({ type: 'cmd_failure' as const, ...value })),
);

const resolved = fc.array(
  fc.record({
    resolvedPath: fc.oneof(
      objects,
      fc.constantFrom('Device.DeviceInfo.', 'Device.Cellular.Interface.1.', 'Device.TrustedElements.SIM.1.'),
    ),
    resultParams: fc.oneof(
      valueMap,
      fc
        .dictionary(
          fc.constantFrom(
            'ModelName',
            'SoftwareVersion',
            'ActiveFirmwareImage',
            'RSSI',
            'ICCID',
            'Status',
            'Recipient',
            'ID',
            'Enable',
          ),
          values,
        )
        .map((map) => new Map(Object.entries(map))),
    ),
  }),
  { maxLength: 5 },
);

const getResponse = fc.array(
  fc.record({ requestedPath: paths, errCode: fc.constantFrom(0, 0, 7026), errMsg: values, resolvedPathResults: resolved }),
  { maxLength: 6 },
);

/** A value of maximum length in a path that the server reads. */
const longResponse = fc
  .tuple(
    fc.constantFrom('ModelName', 'SoftwareVersion', 'ActiveFirmwareImage', 'CurrentLocalTime', 'Recipient', 'ICCID', 'Name'),
    longText(200_000),
  )
  .map(([name, value]) => ({
    type: 'get_resp' as const,
    reqPathResults: [
      'Device.DeviceInfo.',
      'Device.Time.',
      'Device.LocalAgent.Subscription.1.',
      'Device.TrustedElements.SIM.1.',
    ].map((resolvedPath) => {
      const resolvedPathResults = [{ resolvedPath, resultParams: new Map([[name, value]]) }];
      return { requestedPath: resolvedPath, errCode: 0, errMsg: '', resolvedPathResults };
    }),
  }));

/** The body of an answer to a server request of a kind: of the right shape with odd values, or of any message. */
export function responseBody(kind: string): fc.Arbitrary<UspMessage['body']> {
  if (kind === 'get') {
    const usual = getResponse.map((reqPathResults) => ({ type: 'get_resp' as const, reqPathResults }));
    return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: longResponse });
  }
  if (kind === 'get_supported_protocol')
    return values.map((versions) => ({ type: 'get_supported_protocol_resp' as const, agentSupportedProtocolVersions: versions }));
  if (kind === 'operate')
    return fc
      .array(
        fc.record({
          executedCommand: commands,
          result: fc.oneof(
            result,
            shortText.map((value) => ({ type: 'req_obj_path' as const, value })),
          ),
        }),
        { maxLength: 3 },
      )
      .map((operationResults) => ({ type: 'operate_resp' as const, operationResults }));
  return anyMessage.map(({ body }) => body);
}

export const responses = new Map<string, fc.Arbitrary<UspMessage['body']>>();
