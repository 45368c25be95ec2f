import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** LINKTYPE_RAW: each packet begins with its IP header. */
const RAW_IP = 101;

/**
 * Read a capture file (libpcap 2.4, little-endian) as Wireshark does, as far as the IP headers.
 * @returns the number of packets @throws Error naming the fault
 */
export function checkPcap(file: Buffer): number {
  const check = (isRight: boolean, fault: string): void => {
    if (!isRight) throw new Error(`The capture is not valid: ${fault}.`);
  };
  check(file.length >= 24 && file.readUInt32LE(0) === 0xa1b2c3d4, 'magic number');
  check(file.readUInt16LE(4) === 2 && file.readUInt16LE(6) === 4, 'version');
  check(file.readUInt32LE(20) === RAW_IP, 'link type');
  const snapLength = file.readUInt32LE(16);
  let packets = 0;
  for (let at = 24; at < file.length; packets += 1) {
    check(at + 16 <= file.length, `header of packet ${packets + 1}`);
    const [captured, original] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    check(captured <= snapLength && captured <= original && at + 16 + captured <= file.length, `length of packet ${packets + 1}`);
    checkIp(file.subarray(at + 16, at + 16 + captured), check);
    at += 16 + captured;
  }
  return packets;
}

function checkIp(packet: Buffer, check: (isRight: boolean, fault: string) => void): void {
  const version = packet[0]! >> 4;
  const length = version === 6 ? 40 + packet.readUInt16BE(4) : packet.readUInt16BE(2);
  check((version === 4 || version === 6) && length === packet.length, 'IP header');
}

/** Packets that capinfos finds; undefined where Wireshark is not installed. @throws Error when it cannot read the file */
export function countedByCapinfos(file: Buffer): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'highline-pcap-'));
  try {
    const path = join(folder, 'capture.pcap');
    writeFileSync(path, file);
    const { error, status, stdout, stderr } = spawnSync('capinfos', ['-T', '-r', '-c', path], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (error !== undefined) return undefined;
    if (status !== 0) throw new Error(stderr);
    return Number(stdout.trim().split('\t').at(-1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
