module cardpit

go 1.24
