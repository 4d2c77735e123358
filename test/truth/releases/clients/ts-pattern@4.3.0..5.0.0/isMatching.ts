import { isMatching } from 'ts-pattern'

export const isThatDay = isMatching(new Date())
