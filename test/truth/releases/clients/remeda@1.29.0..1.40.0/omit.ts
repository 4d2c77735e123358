import { omit } from 'remeda'

const withoutA = omit(['a'])
export const rest = withoutA({ a: 1, b: 2 })
