import unittest
from fractions import Fraction

from matrix.arith import add, dot, multiply, power, row_norm, scale, trace, transpose
from matrix.build import (
    column, diagonal, from_flat, hstack, identity, is_symmetric, minor, shape, submatrix, zeros,
)
from matrix.grid import border, flip, neighbors, peaks, roll, rotate, window_sums
from matrix.solve import determinant, find_pivot, inverse, rank, reduce_rows, solve, swap_rows

A = [[2, -1, 0], [3, 4, 1], [0, 5, -2]]
B = [[1, 0, 6], [-3, 2, 2], [4, 1, 1]]
WIDE = [[5, 6, 7, 8], [1, 2, 3, 4]]


class BuildHidden(unittest.TestCase):
    def test_flat_and_shape(self):
        self.assertEqual(from_flat(list(range(8)), 2), [[0, 1], [2, 3], [4, 5], [6, 7]])
        self.assertEqual(shape(from_flat(list(range(8)), 4)), (2, 4))
        self.assertEqual(shape(zeros(3, 0)), (3, 0))
        for bad in (5, 3):
            with self.assertRaises(ValueError):
                from_flat(list(range(8)), bad)

    def test_ragged(self):
        with self.assertRaises(ValueError):
            shape([[1], [2], [3, 4]])

    def test_parts(self):
        self.assertEqual([column(WIDE, i) for i in (0, 3)], [[5, 1], [8, 4]])
        self.assertEqual(submatrix(WIDE, 0, 1, 2, 3), [[6, 7, 8], [2, 3, 4]])
        self.assertEqual(submatrix(WIDE, 1, 3, 1, 1), [[4]])
        self.assertEqual(submatrix(A, 0, 0, 1, 2), [[2, -1]])
        self.assertEqual(minor(A, 1, 0), [[-1, 0], [5, -2]])
        self.assertEqual(minor(A, 2, 1), [[2, 0], [3, 1]])

    def test_stack(self):
        joined = hstack(A, identity(3))
        self.assertEqual(shape(joined), (3, 6))
        self.assertEqual(submatrix(joined, 0, 3, 3, 3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        with self.assertRaises(ValueError):
            hstack(A, WIDE)

    def test_diagonals(self):
        self.assertEqual([diagonal(WIDE, k) for k in (-2, -1, 0, 2, 3, 4)],
                         [[], [1], [5, 2], [7, 4], [8], []])
        self.assertEqual(sum(diagonal(A)), trace(A))

    def test_symmetric(self):
        self.assertTrue(is_symmetric(add(A, transpose(A))))
        self.assertFalse(is_symmetric(A))
        self.assertFalse(is_symmetric([[0, 1], [2, 0]]))
        self.assertTrue(is_symmetric([[4]]))


class ArithHidden(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(add(A, scale(A, -1)), zeros(3, 3))
        self.assertEqual(add(A, A), scale(A, 2))
        for other in ([[1, 2, 3]], WIDE, [[1], [2], [3]]):
            with self.assertRaises(ValueError):
                add(A, other)

    def test_products(self):
        self.assertEqual(multiply(A, B), [[5, -2, 10], [-5, 9, 27], [-23, 8, 8]])
        self.assertEqual(transpose(multiply(A, B)), multiply(transpose(B), transpose(A)))
        self.assertEqual(multiply(WIDE, transpose(WIDE)), [[174, 70], [70, 30]])
        self.assertEqual(dot([2, -3], [4, 1]), 5)
        for u, v in (([1, 2], [1]), ([], [3])):
            with self.assertRaises(ValueError):
                dot(u, v)

    def test_powers(self):
        self.assertEqual(power(A, 2), multiply(A, A))
        self.assertEqual(multiply(power(B, 2), power(B, 3)), power(B, 5))
        self.assertEqual(power(A, 0), identity(3))
        with self.assertRaises(ValueError):
            power(A, -2)

    def test_numbers(self):
        self.assertEqual((trace(B), trace(WIDE)), (4, 7))
        self.assertEqual((row_norm(A), row_norm(WIDE), row_norm([[-9]])), (8, 26, 9))
        self.assertEqual((trace([]), row_norm([])), (0, 0))


class SolveHidden(unittest.TestCase):
    def test_pivots(self):
        self.assertEqual(find_pivot(A, 1, 0), 2)
        self.assertEqual(find_pivot([[0, 6], [0, -6], [0, 5]], 1, 0), 0)
        self.assertIsNone(find_pivot([[8], [0], [0]], 0, 1))
        self.assertEqual(swap_rows(A, 1, 2), [A[0], A[2], A[1]])

    def test_reduction(self):
        self.assertEqual(reduce_rows([[1, 2, 3], [2, 4, 7]]), ([[1, 2, 0], [0, 0, 1]], [0, 2]))
        self.assertEqual([rank(A), rank(WIDE), rank(transpose(WIDE)), rank([[1, 3], [2, 6]])], [3, 2, 2, 1])
        self.assertEqual(rank(zeros(2, 2)), 0)

    def test_determinants(self):
        self.assertEqual((determinant(A), determinant(B)), (-32, -66))
        self.assertEqual(determinant(multiply(A, B)), 32 * 66)
        self.assertEqual(determinant(swap_rows(A, 0, 2)), 32)
        self.assertEqual(determinant([[1, 0, 2, 0], [0, 3, 0, 1], [4, 0, 5, 0], [0, 1, 0, 2]]), -15)

    def test_solutions(self):
        x = solve(A, [1, 2, 3])
        self.assertEqual([dot(row, x) for row in A], [1, 2, 3])
        self.assertEqual(solve([[5]], [3]), [Fraction(3, 5)])
        for target in ([1, 2], [1, 3]):
            with self.assertRaises(ValueError):
                solve([[1, 1], [2, 2]], target)

    def test_inverses(self):
        self.assertEqual(multiply(inverse(B), B), identity(3))
        self.assertEqual(inverse(inverse(A)), A)
        for singular in ([[0]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]):
            with self.assertRaises(ValueError):
                inverse(singular)


class GridHidden(unittest.TestCase):
    def test_turns(self):
        self.assertEqual(rotate(rotate(rotate(rotate(WIDE)))), WIDE)
        self.assertEqual(rotate(WIDE), [[1, 5], [2, 6], [3, 7], [4, 8]])
        self.assertEqual(flip(flip(A), vertical=True), rotate(rotate(A)))
        self.assertEqual(border(WIDE), [5, 6, 7, 8, 4, 3, 2, 1])
        self.assertEqual(border([[1, 2], [3, 4], [5, 6]]), [1, 2, 4, 6, 5, 3])

    def test_neighbors_everywhere(self):
        self.assertEqual([neighbors(WIDE, 0, c) for c in range(4)], [[6, 1], [5, 7, 2], [6, 8, 3], [7, 4]])
        self.assertEqual([neighbors(WIDE, 1, c) for c in (0, 3)], [[5, 2], [8, 3]])

    def test_peaks_and_windows(self):
        self.assertEqual(peaks([[4, 1, 4], [1, 4, 1], [4, 1, 5]]), [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)])
        self.assertEqual(peaks([[2, 2], [2, 2]]), [])
        self.assertEqual(window_sums(WIDE, 2), [[14, 18, 22]])
        self.assertEqual(window_sums(A, 2), [[8, 4], [12, 8]])
        self.assertEqual(window_sums(A, 4), [])

    def test_roll_cycles(self):
        for shift in range(-4, 5):
            self.assertEqual(roll(roll(A, shift), -shift), A)
        self.assertEqual(roll(A, 2), [A[1], A[2], A[0]])
        self.assertEqual(roll(WIDE, 7), [WIDE[1], WIDE[0]])
