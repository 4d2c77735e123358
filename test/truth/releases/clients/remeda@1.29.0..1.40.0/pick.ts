import { pick } from 'remeda'

const onlyA = pick(['a'])
export const some = onlyA({ a: 1, b: 2 })
