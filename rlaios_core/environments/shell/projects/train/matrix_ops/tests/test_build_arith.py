import unittest

from matrix.arith import add, dot, multiply, power, row_norm, scale, trace, transpose
from matrix.build import (
    column, diagonal, from_flat, hstack, identity, is_symmetric, minor, shape, submatrix, zeros,
)

NINE = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


class BuildTest(unittest.TestCase):
    def test_zeros(self):
        self.assertEqual(zeros(2, 3), [[0, 0, 0], [0, 0, 0]])
        m = zeros(2, 1)
        m[0][0] = 5
        self.assertEqual(m, [[5], [0]])

    def test_identity(self):
        self.assertEqual(identity(2), [[1, 0], [0, 1]])
        self.assertEqual(identity(0), [])

    def test_shape(self):
        self.assertEqual(shape([[1, 2, 3], [4, 5, 6]]), (2, 3))
        self.assertEqual(shape([]), (0, 0))
        with self.assertRaises(ValueError):
            shape([[1, 2], [3]])

    def test_from_flat(self):
        self.assertEqual(from_flat([1, 2, 3, 4, 5, 6], 3), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(from_flat([], 2), [])
        with self.assertRaises(ValueError):
            from_flat([1, 2, 3], 2)

    def test_column(self):
        self.assertEqual(column(NINE, 1), [2, 5, 8])

    def test_submatrix(self):
        self.assertEqual(submatrix(NINE, 1, 0, 2, 2), [[4, 5], [7, 8]])
        self.assertEqual(submatrix(NINE, 0, 1, 1, 1), [[2]])
        self.assertEqual(submatrix(NINE, 2, 2, 5, 5), [[9]])

    def test_minor(self):
        self.assertEqual(minor(NINE, 0, 1), [[4, 6], [7, 9]])
        self.assertEqual(minor(NINE, 2, 2), [[1, 2], [4, 5]])

    def test_hstack(self):
        self.assertEqual(hstack([[1], [2]], [[3, 4], [5, 6]]), [[1, 3, 4], [2, 5, 6]])
        with self.assertRaises(ValueError):
            hstack([[1], [2]], [[3]])

    def test_diagonal(self):
        self.assertEqual(diagonal(NINE), [1, 5, 9])
        self.assertEqual(diagonal(NINE, 1), [2, 6])
        self.assertEqual(diagonal(NINE, -2), [7])

    def test_is_symmetric(self):
        self.assertIs(is_symmetric([[1, 2, 3], [2, 5, 6], [3, 6, 0]]), True)
        self.assertIs(is_symmetric([[1, 2, 3], [2, 5, 6], [3, 7, 0]]), False)


class ArithTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add([[1, 2]], [[10, -2]]), [[11, 0]])
        with self.assertRaises(ValueError):
            add([[1, 2]], [[1], [2]])

    def test_scale(self):
        self.assertEqual(scale([[1, -2], [0, 3]], 3), [[3, -6], [0, 9]])

    def test_dot(self):
        self.assertEqual(dot([1, 2, 3], [4, 5, 6]), 32)
        self.assertEqual(dot([], []), 0)
        with self.assertRaises(ValueError):
            dot([1], [1, 2])

    def test_transpose(self):
        self.assertEqual(transpose([[1, 2, 3], [4, 5, 6]]), [[1, 4], [2, 5], [3, 6]])
        self.assertEqual(transpose([]), [])

    def test_multiply(self):
        self.assertEqual(multiply([[1, 2], [3, 4]], [[0, 1], [2, 5]]), [[4, 11], [8, 23]])
        self.assertEqual(multiply([[1, 2]], [[3, 4, 5], [6, 7, 8]]), [[15, 18, 21]])

    def test_power(self):
        self.assertEqual(power([[1, 1], [0, 1]], 3), [[1, 3], [0, 1]])
        self.assertEqual(power([[2, 1], [0, 1]], 1), [[2, 1], [0, 1]])

    def test_power_zero_and_negative(self):
        self.assertEqual(power([[7]], 0), [[1]])
        with self.assertRaises(ValueError):
            power([[7]], -1)

    def test_trace(self):
        self.assertEqual(trace(NINE), 15)
        self.assertEqual(trace([[4, 1, 9], [2, 6, 9]]), 10)

    def test_row_norm(self):
        self.assertEqual(row_norm([[1, -4], [2, 2]]), 5)
        self.assertEqual(row_norm([]), 0)
