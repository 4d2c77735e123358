import { jwtVerify, type KeyLike } from 'jose'

interface OurKey extends KeyLike { name: string }
export async function keyOf(token: string, known: OurKey): Promise<OurKey | Uint8Array> {
  return (await jwtVerify<OurKey>(token, async () => known)).key
}
