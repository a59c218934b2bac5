import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { ownMemory } from '@purlin/contract/own-memory.ts'
import { encodingNames, encodingOf } from './reply.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}

interface Asset {
  identity: Buffer
  /** Null if compression does not make it smaller. */
  packed: { brotli: () => Buffer; gzip: () => Buffer } | null
  headers: Record<string, string>
  etag: string
}

export type Assets = (req: IncomingMessage, res: ServerResponse, pathname: string) => boolean

/**
 * Serves the files of a built folder from memory. The folder is read once: files not on the list do not exist,
 * so no path can lead out of it (A61). Files under `assets/` have a hash in their name and are immutable.
 */
export function createAssets(folder: string): Assets {
  const assets = new Map<string, Asset>()
  for (const file of filesOf(folder)) {
    const path = '/' + relative(folder, file).split(sep).join('/')
    if (path.startsWith('/.')) continue
    assets.set(path, readAsset(file, path))
  }
  return (req, res, pathname) => {
    const asset = assets.get(pathname)
    if (!asset) return false
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD', 'cache-control': 'no-store' }).end()
      return true
    }
    if (req.headers['if-none-match'] === asset.etag) {
      res.writeHead(304, asset.headers).end()
      return true
    }
    const encoding = encodingOf(req.headers['accept-encoding'])
    const packed = encoding === 'identity' ? null : (asset.packed?.[encoding]() ?? null)
    res.writeHead(200, {
      ...asset.headers,
      ...(packed && { 'content-encoding': encodingNames[encoding as 'gzip'] }),
      'content-length': (packed ?? asset.identity).length,
    })
    res.end(req.method === 'HEAD' ? undefined : (packed ?? asset.identity))
    return true
  }
}

function readAsset(file: string, path: string): Asset {
  const identity = readFileSync(file)
  const type = types[extname(file)] ?? 'application/octet-stream'
  const compressible = /text|javascript|json|svg/.test(type) && identity.length > 512
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 20)}"`
  return {
    identity,
    packed: compressible
      ? {
          brotli: once(() => ownMemory(brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))),
          gzip: once(() => ownMemory(gzipSync(identity, { level: 9 }))),
        }
      : null,
    etag,
    headers: {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      etag,
      ...(compressible && { vary: 'Accept-Encoding' }),
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    },
  }
}

/** Compressed on first request rather than at start: a shop should start fast. */
function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesOf(path) : [path]
  })
}
