import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedData } from './cms.js';
import type { Signer } from './signer.js';

const der = (base64: string) => Buffer.from(base64, 'base64');

const CERTIFICATE = der(`
MIIBXjCCAQUCAgCiMAoGCCqGSM49BAMCMDwxCzAJBgNVBAYTAkdCMRgwFgYDVQQKDA9JbnNwZWN0aW9ucyBMdGQxEzARBgNV
BAMMCkV4YW1wbGUgQ0EwIBcNMjYxMTI2MTQxMDU1WhgPMjEyNjExMDIxNDEwNTVaMDgxCzAJBgNVBAYTAkdCMRgwFgYDVQQK
DA9JbnNwZWN0aW9ucyBMdGQxDzANBgNVBAMMBlNpZ25lcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDJEaAou6p0u/sXT
6OyDIMYsbxyRi6Viq7qjEa+PwYisVa5NUfDCT/t3mpjX6+KVmqSJByS8lvYYbVbsJ96JlCUwCgYIKoZIzj0EAwIDRwAwRAIg
KYDsGP6tMfCM/vLaPj9fzRTYn+oldXFAGIZ9MlHTvuoCIByQdzioWzw2q/qDK3IdASkAz+wn8NdH3yPlJr2EiZ8h`);
const AUTHORITY = der(`
MIIBvjCCAWOgAwIBAgICAPEwCgYIKoZIzj0EAwIwPDELMAkGA1UEBhMCR0IxGDAWBgNVBAoMD0luc3BlY3Rpb25zIEx0ZDET
MBEGA1UEAwwKRXhhbXBsZSBDQTAgFw0yNjExMjYxNDEwNTRaGA8yMTI2MTEwMjE0MTA1NFowPDELMAkGA1UEBhMCR0IxGDAW
BgNVBAoMD0luc3BlY3Rpb25zIEx0ZDETMBEGA1UEAwwKRXhhbXBsZSBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDIO
cn0vB2D/vVQn5KN2sWQw0rZERl3nFm6NoiwvEllff5u2zr3lCC5o/8LHcu6ife5Ro/O95KN4CRBwbhzNkuWjUzBRMB0GA1Ud
DgQWBBQ3pVdUuppRiNNnqdGxMYNtAo69OzAfBgNVHSMEGDAWgBQ3pVdUuppRiNNnqdGxMYNtAo69OzAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0kAMEYCIQC5bMpaZhpCAuc5/3Ku59ynLfM64rp7HpPJQTgptPSh9wIhAPAceLfzNanpxfGUuR6s
KmCYSZJ2npA/R5/fdLJUVoto`);
/** Made once with the key of the certificate. */
const SIGNATURE = der(`
MEYCIQDn+6u87wmNG2wBza1wojHFXO7Zju6B6HSTR8aKDIIgQgIhAM6eGn4g/KiUZ95KmVuXufSHox+aZ93pnr/hQHjUvbzU`);

const CONTENT = 'a report';
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest();

describe('the signature of a report', () => {
  const signer = {
    certificate: CERTIFICATE,
    chain: [AUTHORITY],
    kind: 'EC',
    sign: () => Promise.resolve(SIGNATURE),
  } as unknown as Signer;
  const signed = (by: Signer, token?: Uint8Array) =>
    signedData(sha256(CONTENT), by, () => Promise.resolve(token));
  const hashOf = async (made: Promise<Uint8Array>) => sha256(await made).toString('hex');

  it('has the same bytes for the same key, report and stamp', async () => {
    const token = Buffer.from('3009060355040313027879', 'hex');
    expect(await hashOf(signed(signer))).toBe(
      'b9d37888b0817f767267dbbc7f0cc0c3a9ea6a0ae6a724743c857bee999f86fd',
    );
    expect(await hashOf(signed(signer, token))).toBe(
      '3dd82a3df5ce2f267e081e6e158a00272730efc6db1dcc1f7c69e79886b88ecc',
    );
    expect(await hashOf(signed({ ...signer, kind: 'RSA', chain: [] }))).toBe(
      'ed947d04fa14447a603f2e8f260dc821af498c248614f51c37726c5cbfa08d11',
    );
  });

  it('holds certificates and a time stamp to the byte, also one that is not DER', async () => {
    const token = Buffer.from('308006035504030000', 'hex');
    const made = Buffer.from(await signed(signer, token));
    for (const part of [CERTIFICATE, AUTHORITY, token]) expect(made.includes(part)).toBe(true);
  });

  it('satisfies openssl, and not for another report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-'));
    const path = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    try {
      const signature = path('signature', await signed(signer));
      const verify = (content: string) =>
        spawnSync(
          'openssl',
          [
            ...['cms', '-verify', '-inform', 'DER', '-in', signature, '-binary', '-noverify'],
            ...['-content', path('content', content), '-out', join(folder, 'out')],
          ],
          { encoding: 'utf8' },
        ).stderr;
      expect(verify(CONTENT)).toMatch(/successful/i);
      expect(verify('another report')).toMatch(/fail/i);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
